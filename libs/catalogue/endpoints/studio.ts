import * as studio from '#contracts/api/access-schemas.js';
import { defineEndpoints } from '#contracts/api/endpoints/endpoint.js';

/** Operations with the tag `studio`. */
export const studioEndpoints = defineEndpoints('studio', {
  signIn: {
    method: 'POST',
    path: '/api/studio/sign-in',
    summary:
      'Exchange an API key, or the secret of a sign-in link (sil_…), for the session cookie of a browser',
    scope: 'any',
    status: 201,
    response: studio.webSessionSchema,
    errors: ['cross_site_request'],
  },
  getWebSession: {
    method: 'GET',
    path: '/api/studio/session',
    summary: 'Read who is signed in, with their permissions',
    scope: 'any',
    response: studio.webSessionSchema,
  },
  signOut: {
    method: 'POST',
    path: '/api/studio/sign-out',
    summary: 'End the session of the browser',
    scope: 'any',
    status: 204,
  },
  createSignInLink: {
    method: 'POST',
    path: '/api/studio/sign-in-links',
    summary: 'Create a link that signs in one browser once, within five minutes, with the scopes of the key',
    scope: 'any',
    status: 201,
    response: studio.signInLinkSchema,
    shownOnce: 'path',
  },
});
