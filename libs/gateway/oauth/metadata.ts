import { scopes as allScopes, type Scope } from '#contracts/api/access-schemas.js';
import type { FastifyRequest } from 'fastify';

/** Scopes that clients can get: keys and settings stay with people. */
export const CLIENT_SCOPES: readonly Scope[] = allScopes.filter((scope) => scope !== 'admin');

/** Returns the address under which the client reaches the service; a proxy passes it on. */
export const originOf = ({ protocol, host }: FastifyRequest) => `${protocol}://${host}`;
/** Returns the address of `/mcp`, the resource that tokens are for. */
export const resourceOf = (request: FastifyRequest) => `${originOf(request)}/mcp`;

/** Returns the challenge of a 401 of `/mcp`, which leads clients to the authorization server (RFC 9728). */
export const mcpChallenge = (request: FastifyRequest) =>
  `Bearer realm="Scriptorium", resource_metadata="${originOf(request)}/.well-known/oauth-protected-resource/mcp"`;

/** Returns the metadata of `/mcp` as a protected resource (RFC 9728). */
export const resourceMetadata = (request: FastifyRequest) => ({
  resource: resourceOf(request),
  authorization_servers: [originOf(request)],
  scopes_supported: CLIENT_SCOPES,
  bearer_methods_supported: ['header'],
  resource_name: 'Scriptorium',
});

/** Returns the metadata of the authorization server (RFC 8414). */
export const serverMetadata = (request: FastifyRequest) => ({
  issuer: originOf(request),
  authorization_endpoint: `${originOf(request)}/oauth/authorize`,
  token_endpoint: `${originOf(request)}/oauth/token`,
  registration_endpoint: `${originOf(request)}/oauth/register`,
  revocation_endpoint: `${originOf(request)}/oauth/revoke`,
  scopes_supported: CLIENT_SCOPES,
  response_types_supported: ['code'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
});
