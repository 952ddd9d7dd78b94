#include <linux/module.h>
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("kernel/irq/irq_sim.c as a module, which gpio-sim needs");
