"""Containers, clusters: what is mounted, and what runs inside."""

from __future__ import annotations

from typing import Final

TEXT: Final = """
docker, podman, nerdctl
  ! sub alike
  -H --host, --url, --identity, --context, -c --connection = host-option
  --config = config
  --tls, --tlsverify, -D --debug, --remote, -r
  --tlscacert, --tlscert, --tlskey = read
  -l --log-level = value
  --runtime, --conmon, --hooks-dir, --module, --cgroup-manager, --root, --runroot, --storage-driver, --storage-opt = refuse

docker container, podman container, nerdctl container
  ! sub

docker run, docker create, podman run, podman create, nerdctl run, nerdctl create, docker container run, docker container create, podman container run, podman container create
  ! stop alike
  -v --volume, --device = mount
  --mount = mount-option
  -e --env = exports
  --env-file, --label-file = read
  --cidfile, --pidfile = write
  --entrypoint = program-inside
  -a --attach, --add-host, --annotation, --blkio-weight, --cap-add, --cap-drop, --cgroup-parent, --cgroupns, -c --cpu-shares, --cpus, --cpuset-cpus = value
  --cpu-period, --cpu-quota, --cpu-rt-runtime, --cpuset-mems, --device-cgroup-rule, --dns, --dns-option, --dns-search, --domainname = value
  --expose, --gpus, --group-add, --health-cmd, --health-interval, --health-retries, --health-timeout, -h --hostname, --ip, --ip6, --ipc = value
  --isolation, -l --label, --link, --log-driver, --log-opt, --mac-address, -m --memory, --memory-reservation, --memory-swap, --name, --network --net = value
  --network-alias, --oom-score-adj, --pid, --pids-limit, --platform, -p --publish, --pull, --restart, --runtime, --security-opt, --shm-size = value
  --stop-signal, --stop-timeout, --storage-opt, --sysctl, --tmpfs, --ulimit, -u --user, --userns, --uts, --volume-driver, --volumes-from, -w --workdir = value
  -d --detach, --disable-content-trust, --init, -i --interactive, --no-healthcheck, --oom-kill-disable, --privileged, -P --publish-all, -q --quiet
  --read-only, --rm, --sig-proxy, -t --tty, --replace, --rmi
  * = value argv@

docker exec, podman exec, nerdctl exec, docker container exec, podman container exec
  ! stop alike
  -d --detach, -i --interactive, --privileged, -t --tty, -l --latest
  --detach-keys, -u --user, -w --workdir = value
  -e --env = exports
  --env-file = read
  * = value argv@

docker build, podman build, nerdctl build, docker image build, podman image build, docker buildx, docker builder, buildah
  ! runs:self alike
  -f --file = read
  --iidfile, --metadata-file, --cidfile = write
  -o --output, --cache-to = build-output
  --secret, --ssh, --build-context, --cache-from = mount-option
  -t --tag, --target, --platform, --build-arg, --label, --network, --progress, --add-host, --builder, --shm-size, --ulimit, --cgroup-parent, -m --memory = value
  -q --quiet, --no-cache, --pull, --push, --load, --rm, --force-rm, --squash
  * = source...

docker compose, docker-compose, podman-compose, nerdctl compose, skaffold, docker stack, docker service, docker plugin, podman play, podman kube
  ! runs:self

docker save, podman save, docker image save, podman image save, docker export, podman export, nerdctl save, docker container export, podman container export
  ! alike
  -o --output = write
  --format, --platform = value
  * = value...

docker load, podman load, docker image load, podman image load, docker import, podman import, docker image import, podman image import, nerdctl load
  ! alike
  -i --input = read
  * = source...

docker cp, podman cp, nerdctl cp, docker container cp, podman container cp
  ! alike
  -a --archive, -L --follow-link, -q --quiet
  * = path-inside path-inside

docker image, podman image
  ! sub

kubectl, oc, k9s, helm
  ! sub alike
  -n --namespace, --context, --cluster, --user, --token, --request-timeout, -l --selector, -c --container, --as = value
  -o --output, --template = perhaps
  -s --server = url
  --kubeconfig = config
  --post-renderer = program
  -f --filename, -k --kustomize, --values = source

kubectl exec, oc exec
  ! alike
  -i --stdin, -t --tty, -q --quiet
  -c --container, --pod-running-timeout = value
  * = value argv@

kubectl run, kubectl debug, kubectl cp, kubectl proxy, kubectl plugin, oc rsh, oc debug, kubectl edit, kubectl port-forward, helm plugin
  ! runs:self

virsh, lxc, lxc-attach, lxc-start, incus, multipass, qemu-system-x86_64, qemu-x86_64, qemu-aarch64, qemu-arm, wine, box64, rosetta, limactl, colima, distrobox, toolbox, apptainer, singularity, runc, crun, ctr, crictl
  ! runs:self
"""
