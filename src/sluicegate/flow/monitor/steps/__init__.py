"""Steps of the procedure that have a module of their own: arguments, guards, scrubbing, events, the end."""
