"""``sluicegate mcp`` where it cannot serve."""


def test_without_the_extra_a_message_says_what_to_install(sluicegate, monkeypatch):
    monkeypatch.setattr("sluicegate.reach.cli.commands.mcp.find_spec", lambda name: None)
    ran = sluicegate("mcp")
    assert ran.code == 2 and ran.out == "" and "pip install 'sluicegate[mcp]'" in ran.err


def test_a_root_has_to_be_a_folder(sluicegate, monkeypatch):
    monkeypatch.setattr("sluicegate.reach.cli.commands.mcp.find_spec", lambda name: name)
    ran = sluicegate("mcp", "--root", "no-such-folder")
    assert ran.code == 2 and "the root 'no-such-folder' is not a folder" in ran.err
