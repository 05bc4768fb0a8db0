"""What ``sluicegate scan`` does with its words. Nothing here imports ``click`` unless it has to say that they are wrong."""
