"""HO-12: what shell text reaches by a name that it makes itself is what the name stands for."""

import pytest
from test_hook_copies import bash, kept, work  # noqa: F401 - a fixture

WORDS = "what nobody has committed\n"


@pytest.mark.parametrize(
    "command",
    [
        "ln -s ~ h; echo x >> h/.bashrc", "ln -sfn ~ h && cp x h/.bashrc", "mkdir d; ln -s ~ d/h; tee d/h/.bashrc < x", "ln -s ~ h; ln -s h k; echo x >> k/.bashrc",
        "ln -s ~ h; cd h; echo x >> .bashrc", "ln -s $HOME .; echo x >> home/.bashrc", "ln -s ../../home out/h; echo x > out/h/.bashrc", "ln -s ~/.ssh k; cat k/id_rsa",
        "ln -s ~ h; cat h/.ssh/id_rsa", "cp -rs ~ h; echo x > h/.bashrc", "ln -s ~/.config/sluicegate k; cp -r k/keys y", "ln -s ~ h; tar c h/.ssh",
        "ln -s .bashrc ~/y; echo x > ~/y", "grep -r x ~/.config", "tar c ~", "cp -r ~/state y", "cat ~/.config/*/*/*", "mv ~/.config c",
    ],
)  # fmt: skip
def test_a_name_that_is_made_on_the_way_means_what_it_stands_for(work, command):  # noqa: F811
    assert bash("ls", page=False) == ""
    assert bash(command, page=False), command


def test_honest_links_and_moves_go_through(work):  # noqa: F811
    for command in (
        "ln -s src s && cat s/draft.txt", "ln a b && cat b", "mv x y && cat y", "mkdir -p a && mv x a && ls a", "ln -sf ../x out/x; cat out/x", "find ~ -name x", "du -sh ~", "ls -R ~",
        "grep -rn x .", "cp -r src lib", "sed -i s/a/b/ *.txt", "tar czf /tmp/x.tgz .",
    ):  # fmt: skip
        assert not bash(command, page=False), command


def test_what_is_written_over_through_a_name_is_copied(work):  # noqa: F811
    assert not bash("ln -s draft.txt l && : > l")
    assert kept()["draft.txt"] == WORDS
