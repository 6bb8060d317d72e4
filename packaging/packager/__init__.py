"""Makes the release archives: `./build.sh package`. Runs on the build machine only; never part of what is shipped."""
