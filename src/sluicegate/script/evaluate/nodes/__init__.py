"""The handlers of nodes, by idea; ``dispatch`` has the table of them."""
