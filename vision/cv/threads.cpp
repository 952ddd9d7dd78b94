//go:build cgo

// GoCV has no binding for this one call.
#include <opencv2/core/utility.hpp>

extern "C" void lansquenet_one_thread(void) { cv::setNumThreads(1); }
