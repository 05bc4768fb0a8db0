# An image that scans what is mounted, as nobody, and needs no network:
#     docker build --tag sluicegate .
#     docker run --rm --network none --read-only --tmpfs /tmp --volume "$PWD:/work:ro" sluicegate scan .
FROM python:3.13-slim-bookworm AS build
WORKDIR /source
COPY . .
ENV PIP_CONSTRAINT=/source/constraints.txt PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python -m venv /opt/sluicegate \
    && /opt/sluicegate/bin/python -I -m pip install . \
    && /opt/sluicegate/bin/python -I -m pip uninstall --yes pip

FROM python:3.13-slim-bookworm
COPY --from=build /opt/sluicegate /opt/sluicegate
ENV PATH=/opt/sluicegate/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONSAFEPATH=1 SLUICEGATE_CONFIG_HOME=/etc/sluicegate
WORKDIR /work
USER 65534:65534
ENTRYPOINT ["sluicegate"]
CMD ["--help"]
