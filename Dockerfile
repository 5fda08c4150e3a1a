# The server with exactly the dependencies of package-lock.json: docker build -t confab .
FROM node:26-slim AS build
WORKDIR /confab
COPY package.json package-lock.json ./
COPY server/package.json server/
COPY server/bin server/bin
COPY clients/js/package.json clients/js/
COPY elements/package.json elements/
COPY conformance/package.json conformance/
COPY conformance/bin conformance/bin
# The compiler and the UI kit, for the build alone.
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build && npm run --silent sbom > server/sbom.cdx.json
# What the server needs to run, and nothing of the root.
RUN npm ci --workspace=confab-server --omit=dev --no-audit --no-fund

FROM node:26-slim
WORKDIR /app
COPY --from=build /confab/node_modules node_modules
COPY --from=build /confab/server server
RUN ln -s /app/server/bin/confab /usr/local/bin/confab && install -d -o node -g node -m 0700 /data /backups
ENV CONFAB_HOST=0.0.0.0 CONFAB_DATA_DIR=/data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.CONFAB_PORT || 8080}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["confab"]
CMD ["serve"]
