import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { translatorFor } from '#contracts/phrases/translator.js';
import { escapeHtml } from '#verbatim/report/page-text.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomBytes } from 'node:crypto';
import { hostOf, type OAuthClient } from './oauth-client.js';

/** What the page shows and sends back. */
interface AuthorizePage {
  client: OAuthClient;
  redirectUri: string;
  scopes: readonly string[];
  /** Parameters of the request, which the form repeats. */
  fields: Record<string, string>;
  problem?: Phrase;
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:3rem auto;padding:0 1rem;color:#1a1b1e}
h1{font-size:1.4rem}dt{color:#5c5f66}dd{margin:0 0 .6rem;overflow-wrap:anywhere}label{display:block;margin:1rem 0 .2rem}
input{width:100%;box-sizing:border-box;font:inherit;padding:.5rem}button{font:inherit;padding:.5rem 1.2rem;margin:1.2rem .6rem 0 0}
[role=alert]{color:#c92a2a}`;

/** Sends the page on which a person signs in and lets a client in, in the language of the browser. */
export async function sendAuthorizePage(
  request: FastifyRequest,
  reply: FastifyReply,
  { client, redirectUri, scopes, fields, problem }: AuthorizePage,
): Promise<void> {
  const language = (request.headers['accept-language'] ?? 'en').split(/[,;]/)[0]!;
  const translate = await translatorFor(language);
  const text = (asked: Phrase) => escapeHtml(translate(asked));
  const hidden = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  const facts: [Phrase, string][] = [
    [phrase('oauth_page.client'), client.name],
    [
      phrase('oauth_page.described_by'),
      URL.canParse(client.id) ? new URL(client.id).host : translate(phrase('oauth_page.itself')),
    ],
    [phrase('oauth_page.redirect'), hostOf(redirectUri)],
    [phrase('oauth_page.scopes'), scopes.join(', ')],
  ];
  const list = facts.map(([name, value]) => `<dt>${text(name)}</dt><dd>${escapeHtml(value)}</dd>`);
  const nonce = randomBytes(16).toString('base64url');
  const target = new URL(redirectUri);
  // Browsers apply `form-action` to the redirect that follows the form, too.
  const redirects = target.origin === 'null' ? target.protocol : target.origin;
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self' ${redirects}; base-uri 'none'; frame-ancestors 'none'`;
  const html = `<!doctype html><html lang="${text(phrase('oauth_page.language'))}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${text(phrase('oauth_page.title'))}</title><style nonce="${nonce}">${STYLE}</style></head>
<body><main><h1>${text(phrase('oauth_page.title'))}</h1><p>${text(phrase('oauth_page.explanation'))}</p><dl>${list.join('')}</dl>
${problem ? `<p role="alert">${text(problem)}</p>` : ''}
<form method="post" action="/oauth/authorize">${hidden.join('')}
<label for="key">${text(phrase('oauth_page.key'))}</label><input id="key" name="api_key" type="password" autocomplete="off" autofocus>
<button name="decision" value="allow">${text(phrase('oauth_page.allow'))}</button><button name="decision" value="deny">${text(phrase('oauth_page.deny'))}</button>
</form></main></body></html>`;
  await reply
    .status(problem ? 401 : 200)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policy)
    // Without a referrer, browsers hide the origin of the form, which is checked.
    .header('referrer-policy', 'same-origin')
    .send(html);
}
