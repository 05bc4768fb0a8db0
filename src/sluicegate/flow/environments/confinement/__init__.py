"""What confines a command: system call filters, control groups, protected paths, granted roots."""
