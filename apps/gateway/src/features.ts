import { articleGateway } from '#article/gateway.js';
import { bookGateway } from '#book/gateway.js';
import { changeGateway } from '#change/gateway.js';
import { documentGateway } from '#document/gateway.js';
import type { GatewayFeature } from '#gateway/feature.js';
import { knowledgeGateway } from '#knowledge/gateway.js';
import { planGateway } from '#plan/gateway.js';
import { reviewGateway } from '#review/gateway.js';

/** Features of this gateway, one line each. */
export const features: GatewayFeature[] = [
  documentGateway,
  planGateway,
  bookGateway,
  articleGateway,
  changeGateway,
  reviewGateway,
  knowledgeGateway,
];
