// SPDX-License-Identifier: GPL-2.0
/*
 * mcp_sim: I2C bus 1 with two simulated MCP23017 port expanders at 0x20 and
 * 0x21, for the bench. What happens outside the chips is written into
 * parameters:
 *
 *   echo "0x20 3 0" > /sys/module/mcp_sim/parameters/pin    A3 pulled low
 *   echo "0x20 1"   > /sys/module/mcp_sim/parameters/gone   the plug is pulled
 *   echo 0x20       > /sys/module/mcp_sim/parameters/reset  its supply dips
 *
 * and read back: `int` is 1 while an INT output is low, `latch` shows what the
 * outputs drive ("0x20 8001").
 */
#include <linux/i2c.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/string.h>

#define IODIR 0x00
#define GPINTEN 0x04
#define GPPU 0x0c
#define GPIO 0x12
#define OLAT 0x14
#define REGS 0x16

struct chip {
	u8 reg[REGS], ptr;
	u16 pins, seen;
	bool gone;
};

static struct chip chips[2];
static DEFINE_MUTEX(lock);

static u16 pair(struct chip *c, int r)
{
	return c->reg[r] | c->reg[r + 1] << 8;
}

/* An input without pull-up floats; here it reads low, so that a driver which
 * forgets the pull-ups is found out. */
static u16 levels(struct chip *c)
{
	u16 dir = pair(c, IODIR);

	return (c->pins & pair(c, GPPU) & dir) | (pair(c, OLAT) & ~dir);
}

static void reset_chip(struct chip *c)
{
	memset(c->reg, 0, REGS);
	c->reg[IODIR] = c->reg[IODIR + 1] = 0xff;
	c->ptr = 0;
	c->pins = 0xffff;
	c->seen = 0;
}

static int sim_xfer(struct i2c_adapter *a, struct i2c_msg *msgs, int n)
{
	int i, k;

	mutex_lock(&lock);
	for (i = 0; i < n; i++) {
		struct i2c_msg *m = &msgs[i];
		struct chip *c;

		if (m->addr < 0x20 || m->addr > 0x21 || chips[m->addr - 0x20].gone) {
			mutex_unlock(&lock);
			return -EREMOTEIO;
		}
		c = &chips[m->addr - 0x20];
		for (k = 0; k < m->len; k++) {
			if (m->flags & I2C_M_RD) {
				u16 now = levels(c);

				if (c->ptr == GPIO || c->ptr == GPIO + 1) {
					m->buf[k] = c->ptr == GPIO ? now : now >> 8;
					c->seen = now;
				} else {
					m->buf[k] = c->reg[c->ptr];
				}
				c->ptr = (c->ptr + 1) % REGS;
			} else if (k == 0) {
				c->ptr = m->buf[0] % REGS;
			} else {
				c->reg[c->ptr] = m->buf[k];
				c->ptr = (c->ptr + 1) % REGS;
			}
		}
	}
	mutex_unlock(&lock);
	return n;
}

static u32 sim_func(struct i2c_adapter *a)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm sim_algo = { .master_xfer = sim_xfer, .functionality = sim_func };
static struct i2c_adapter sim = { .owner = THIS_MODULE, .algo = &sim_algo, .name = "mcp_sim", .nr = 1 };

static struct chip *by_address(unsigned int addr)
{
	return addr == 0x20 || addr == 0x21 ? &chips[addr - 0x20] : NULL;
}

static int set_pin(const char *s, const struct kernel_param *p)
{
	unsigned int addr, pin, level;
	struct chip *c;

	if (sscanf(s, "%x %u %u", &addr, &pin, &level) != 3 || pin > 15 || !(c = by_address(addr)))
		return -EINVAL;
	mutex_lock(&lock);
	if (level)
		c->pins |= 1 << pin;
	else
		c->pins &= ~(1 << pin);
	mutex_unlock(&lock);
	return 0;
}

static int set_gone(const char *s, const struct kernel_param *p)
{
	unsigned int addr, gone;
	struct chip *c;

	if (sscanf(s, "%x %u", &addr, &gone) != 2 || !(c = by_address(addr)))
		return -EINVAL;
	mutex_lock(&lock);
	c->gone = gone;
	mutex_unlock(&lock);
	return 0;
}

static int set_reset(const char *s, const struct kernel_param *p)
{
	unsigned int addr;
	struct chip *c;

	if (sscanf(s, "%x", &addr) != 1 || !(c = by_address(addr)))
		return -EINVAL;
	mutex_lock(&lock);
	reset_chip(c);
	mutex_unlock(&lock);
	return 0;
}

static int get_int(char *out, const struct kernel_param *p)
{
	int i, low = 0;

	mutex_lock(&lock);
	for (i = 0; i < 2; i++)
		low |= !!((levels(&chips[i]) ^ chips[i].seen) & pair(&chips[i], GPINTEN));
	mutex_unlock(&lock);
	return sprintf(out, "%d\n", low);
}

static int get_latch(char *out, const struct kernel_param *p)
{
	int n;

	mutex_lock(&lock);
	n = sprintf(out, "0x20 %04x\n0x21 %04x\n", pair(&chips[0], OLAT) & (u16)~pair(&chips[0], IODIR),
		    pair(&chips[1], OLAT) & (u16)~pair(&chips[1], IODIR));
	mutex_unlock(&lock);
	return n;
}

static const struct kernel_param_ops pin_ops = { .set = set_pin }, gone_ops = { .set = set_gone }, reset_ops = { .set = set_reset },
				     int_ops = { .get = get_int }, latch_ops = { .get = get_latch };
module_param_cb(pin, &pin_ops, NULL, 0200);
module_param_cb(gone, &gone_ops, NULL, 0200);
module_param_cb(reset, &reset_ops, NULL, 0200);
module_param_cb(int, &int_ops, NULL, 0444);
module_param_cb(latch, &latch_ops, NULL, 0444);

static int __init sim_init(void)
{
	reset_chip(&chips[0]);
	reset_chip(&chips[1]);
	return i2c_add_numbered_adapter(&sim);
}

static void __exit sim_exit(void)
{
	i2c_del_adapter(&sim);
}

module_init(sim_init);
module_exit(sim_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Two simulated MCP23017 on an I2C bus");
