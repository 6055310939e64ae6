# The image for production. It contains only the compiled service and the packages that it needs.
#
#   docker build -t service .
#   docker run --read-only -p 3000:3000 -e DATABASE_URL=… -e JWT_SECRET=… -e SMTP_URL=… -e ADMIN_PASSWORD=… -e TRUST_PROXY=… service
#
# In production, requests must come over TLS: through a proxy that TRUST_PROXY names, or directly, with TLS_CERT_FILE and
# TLS_KEY_FILE. See node_modules/@plinth/core/docs/configuration.md. Migrations run at start, or with
# `node dist/src/migrate.js`.
#
# `--build-arg NODE=node:24-slim@sha256:…` pins the base image. `docker buildx imagetools inspect node:24-slim` prints
# the digest.
ARG NODE=node:24-slim

FROM ${NODE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages packages
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json nest-cli.json ormconfig.ts ./
COPY scripts scripts
COPY src src
RUN npm run build

FROM ${NODE} AS packages
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/core/package.json packages/core/
# No production package needs its install script. The workspaces for development are not copied, because npm would
# install their packages.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund --workspace=packages/core --include-workspace-root
# Removes what the running service does not read: source maps, types, docs, the compiler, browser builds. Keeps licences.
RUN rm -rf node_modules/typescript node_modules/@typescript node_modules/@types node_modules/typeorm/browser \
  node_modules/rxjs/src node_modules/rxjs/dist/esm* node_modules/rxjs/dist/bundles node_modules/class-*/bundles \
  node_modules/class-*/esm* node_modules/libphonenumber-js/bundle node_modules/lodash/fp \
  node_modules/swagger-ui-dist/swagger-ui.js node_modules/swagger-ui-dist/swagger-ui-es-bundle* \
  && find node_modules -type f ! -iname '*licen[cs]e*' \
  \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.[cm]ts' -o -iname '*.md' -o -name '*.flow' -o -name '*.tsbuildinfo' \) -delete

FROM ${NODE}
ENV NODE_ENV=production HOST=0.0.0.0
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/packages/core/package.json packages/core/
COPY --from=build /app/packages/core/dist packages/core/dist
COPY --from=build /app/dist dist
COPY package.json ./
# The service writes only the generated password of the administrator, to this folder. If the file system is read-only,
# set ADMIN_PASSWORD.
RUN install -d -o node -g node -m 700 .data
USER node
EXPOSE 3000
# The check calls the process on localhost, so it cannot verify the name in its certificate.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 CMD ["node", "--no-warnings", "-e", "\
const { PORT: port = 3000, TLS_CERT_FILE: tls } = process.env; \
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'; \
fetch(`${tls ? 'https' : 'http'}://127.0.0.1:${port || 3000}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1));"]
# More room for short-lived objects: see "Memory" in the page on operations.
CMD ["node", "--max-semi-space-size=64", "dist/src/main.js"]
