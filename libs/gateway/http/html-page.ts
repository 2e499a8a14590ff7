import { escapeHtml } from '#verbatim/report/page-text.js';
import type { FastifyReply } from 'fastify';
import { randomBytes } from 'node:crypto';

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:3rem auto;padding:0 1rem;color:#1a1b1e}
h1{font-size:1.4rem}dt{color:#5c5f66}dd{margin:0 0 .6rem;overflow-wrap:anywhere}label{display:block;margin:1rem 0 .2rem}
input,select,textarea{width:100%;box-sizing:border-box;font:inherit;padding:.5rem}textarea{min-height:8rem}
button{font:inherit;padding:.5rem 1.2rem;margin:1.2rem .6rem 0 0}[role=alert]{color:#c92a2a}
.wide{max-width:46rem}pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#f1f3f5;padding:.5rem}
table{border-collapse:collapse}th,td{border:1px solid #ced4da;padding:.2rem .5rem;vertical-align:top}`;

interface HtmlPage {
  /** Primary BCP 47 tag. */
  language: string;
  title: string;
  /** Content of the page, as HTML. */
  body: string;
  /** Origins to which its forms lead besides this one. */
  formTargets?: string;
  isWide?: boolean;
  status?: number;
}

/** Sends a page without scripts, cookies and content from elsewhere, which nobody can frame. */
export async function sendHtmlPage(
  reply: FastifyReply,
  { language, title, body, formTargets = '', isWide = false, status = 200 }: HtmlPage,
): Promise<void> {
  const nonce = randomBytes(16).toString('base64url');
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self' ${formTargets}; base-uri 'none'; frame-ancestors 'none'`;
  const html = `<!doctype html><html lang="${escapeHtml(language)}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style nonce="${nonce}">${STYLE}</style></head>
<body${isWide ? ' class="wide"' : ''}><main>${body}</main></body></html>`;
  await reply
    .status(status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .send(html);
}
