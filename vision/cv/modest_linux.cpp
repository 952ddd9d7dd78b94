//go:build cgo

#include <malloc.h>

// All threads share one heap. Go calls OpenCV from whichever thread it likes, and
// the C library would keep a heap of old pictures for each. It must be told
// before Go starts its threads.
__attribute__((constructor)) static void lansquenet_one_heap(void) { mallopt(M_ARENA_MAX, 1); }
