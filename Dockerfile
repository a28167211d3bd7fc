# The program alone: no package manager runs in the final image, and no keychain module is in it.
# Credentials come from the environment: docker run -i --rm --env-file seller.env seller-commerce-mcp
# Debian, since the Node that npm scripts find in node_modules needs glibc.
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build

FROM node:24-alpine
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /src/dist ./dist
COPY LICENSE PRIVACY.md ./
# The journal of writes, and the files that are saved: mount a volume here to keep them.
RUN mkdir -p /data/state /data/definitions /data/files && chown -R node:node /data
ENV SELLER_STATE_DIR=/data/state SELLER_DATA_DIR=/data/definitions SELLER_FILES_DIR=/data/files
VOLUME /data
USER node
ENTRYPOINT ["node", "/app/dist/main.mjs"]
