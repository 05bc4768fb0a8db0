"""Where operations run, and what they can reach there (security model, parts 5 and 7).

Nothing is imported here; each part is its own module::

    from penstock.flow.environments.reading import read_environment, read_change     # what people write
    from penstock.flow.environments.config import EnvironmentConfig, source_label, output_labels
    from penstock.flow.environments.attenuation import attenuate, narrow             # a child is never wider
    from penstock.flow.environments.protection import Protection                     # what stays ours
    from penstock.flow.environments.use import Providers, environment, derived, execute, execute_async
    from penstock.flow.environments.command import Command, Stage, Completed, Limit
    from penstock.flow.environments.effects import snapshot_roots, changed_files     # what a command changed

    providers = Providers.of(os.environ, Protection(hidden=(root / ".penstock", home.keys), fixed=(...)))
    config = read_environment({"fs": {"write": ["."]}, "limits": {"time": "60s"}}, base=root)
    with environment(config, providers) as session:
        completed = execute(session, Command(stages=(Stage(argv=("ls", "-l")),)))

Every error is an ``EnvironmentFailure``; a child that would be wider is a ``Denial``.
"""
