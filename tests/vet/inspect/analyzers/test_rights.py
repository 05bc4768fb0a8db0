"""Rights of the project, of a package and of an image are not rights of the machine."""

from __future__ import annotations

import pytest

from sluicegate.vet.inspect.analyzers.rights import of_the_project


@pytest.mark.parametrize(
    "command",
    [
        "chmod -R 777 storage bootstrap/cache",
        "chmod 666 /var/log/suricata/eve.json",
        "chmod 777 /var/run/postgresql",
        "chmod -R 0777 /srv/share/public",
        "chmod 4755 debian/tool/usr/bin/tool-helper",
        "chmod u+s output/target/usr/bin/sudo",
        "chmod 4750 ${D}${sbindir}/mount-helper",
        "chown root:root debian/tool/usr/bin/tool-helper",
    ],
)
def test_places_of_the_project_and_of_packages(command: str) -> None:
    assert of_the_project(command)


@pytest.mark.parametrize(
    "command",
    [
        "chmod -R 777 /",
        "chmod 777 /etc/passwd",
        "chmod 777 /var/run/../../etc",
        "chmod 777 ~/.ssh",
        "chmod 666 /var/spool/cron/root",
        "chmod 777 storage /etc",
        "chmod u+s /bin/bash",
        "chmod u+s bash",
        "chmod 4755 ./sh",
        "chmod 4755 ../tool/sh",
        "chmod 4755 debian/tool /bin/bash",
        "chmod 4755 $TOOL",
        "chmod u+s /tmp/sh",
        "chown root:root /tmp/sh",
        "chmod 644 notes.md",
    ],
)
def test_places_of_the_machine(command: str) -> None:
    assert not of_the_project(command)
