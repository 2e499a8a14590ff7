# syntax=docker/dockerfile:1
# One image for every process; the command names it: node dist/apps/<app>/src/main.js, the gateway by default.

FROM node:22.22.2-bookworm-slim AS build
WORKDIR /app
ENV CHECKPOINT_DISABLE=1
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json prisma.config.ts ./
COPY scripts ./scripts
COPY prisma ./prisma
COPY libs ./libs
COPY apps ./apps
COPY examples/incident ./examples/incident
RUN npm run build

FROM build AS prune
# What the build has bundled, or only the embedded stack needs, stays out of the image.
RUN node scripts/product-manifest.js > product.json \
  && mv product.json package.json \
  && npm pkg delete optionalDependencies \
  && npm prune --ignore-scripts \
  && rm -rf dist/.clusters

FROM node:22.22.2-bookworm-slim AS runtime
RUN apt-get update \
  && apt-get install --yes --no-install-recommends 'tini=0.19.0-1*' \
  && rm -rf /var/lib/apt/lists/* \
  # A fresh volume takes its owner from the image: the store of docker-compose.yml starts as the same user.
  && mkdir -p /data/objects /data/meta \
  && chown -R node:node /data
ENV NODE_ENV=production
WORKDIR /app
COPY --from=prune /app/node_modules ./node_modules
COPY --from=prune /app/dist ./dist
COPY --from=prune /app/package.json ./package.json
COPY prisma/functions ./prisma/functions
COPY prisma/migrations ./prisma/migrations
COPY deploy/healthcheck.js ./healthcheck.js
# The user "node", by number: Kubernetes has to see that it is not root.
USER 1000:1000
EXPOSE 8080 9464
# Reaps children and hands signals on.
ENTRYPOINT ["tini", "--"]
CMD ["node", "dist/apps/gateway/src/main.js"]
