"""Break the code on purpose, one small thing at a time, and see whether a test notices: `make mutants`."""
