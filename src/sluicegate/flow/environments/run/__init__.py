"""Running a pipeline in an environment: start, feed, collect, watch, end."""
