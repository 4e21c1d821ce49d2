# syntax=docker/dockerfile:1
FROM node:22-slim AS page
WORKDIR /page/web
COPY api/playground/web/package.json api/playground/web/package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY api/playground/web ./
RUN npm run build

FROM python:3.11-slim AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /opt/loregraph
WORKDIR /build
# The dependencies change less often than the code: their layer is kept until the lock changes.
COPY requirements.lock ./
RUN /opt/loregraph/bin/pip install --require-hashes -r requirements.lock
COPY pyproject.toml setup.py README.md LICENSE NOTICE ./
COPY docs docs
COPY api api
COPY schema schema
COPY resolvers resolvers
COPY sources sources
COPY --from=page /page/static api/playground/static
RUN /opt/loregraph/bin/pip install --no-deps --no-build-isolation . \
    && /opt/loregraph/bin/python -m compileall -q /opt/loregraph/lib

FROM python:3.11-slim
RUN groupadd --system --gid 10001 loregraph \
    && useradd --system --uid 10001 --gid loregraph --home-dir /data --shell /usr/sbin/nologin loregraph \
    && install -d -o loregraph -g loregraph -m 0750 /data
COPY --from=build /opt/loregraph /opt/loregraph
ENV PATH=/opt/loregraph/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    HOME=/data \
    LOREGRAPH_HOST=0.0.0.0 \
    LOREGRAPH_PORT=8000 \
    LOREGRAPH_DATA_DIR=/data
WORKDIR /data
USER loregraph
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen(f\"http://127.0.0.1:{os.environ['LOREGRAPH_PORT']}/healthz\", timeout=4)"]
CMD ["loregraph", "serve"]
