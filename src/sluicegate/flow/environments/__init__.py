"""Where operations run, and what they can reach there.

Nothing is imported here; each part is its own module::

    from sluicegate.flow.environments.configuration.reading import read_environment, read_change  # what people write
    from sluicegate.flow.environments.configuration.config import EnvironmentConfig, source_label, output_labels
    from sluicegate.flow.environments.configuration.attenuation import attenuate, narrow  # a child is never wider
    from sluicegate.flow.environments.confinement.protection import Protection  # what stays ours
    from sluicegate.flow.environments.use import Providers, environment, derived, execute, execute_async
    from sluicegate.flow.environments.run.command import Command, Stage, Completed, Limit
    from sluicegate.flow.environments.changes.effects import snapshot_roots, changed_files  # what a command changed

    providers = Providers.of(os.environ, Protection(hidden=(root / ".sluicegate", home.keys), fixed=(...)))
    config = read_environment({"fs": {"write": ["."]}, "limits": {"time": "60s"}}, base=root)
    with environment(config, providers) as session:
        completed = execute(session, Command(stages=(Stage(argv=("ls", "-l")),)))

Every error is an ``EnvironmentFailure``; a child that would be wider is a ``Denial``.
"""
