//go:build cgo

// GoCV has no binding for these.
#include <cstdlib>
#include <opencv2/core/utils/logger.hpp>

extern "C" void lansquenet_quiet(void) {
	cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
	setenv("OPENCV_FFMPEG_LOGLEVEL", "-8", 0); // AV_LOG_QUIET
}
