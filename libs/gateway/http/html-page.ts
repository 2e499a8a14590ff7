import { escapeHtml } from '#verbatim/report/page-text.js';
import type { FastifyReply } from 'fastify';
import { randomBytes } from 'node:crypto';

const STYLE = `:root{color-scheme:light dark;--line:light-dark(#ced4da,#4f5359);--soft:light-dark(#f1f3f5,#2b2d31);--quiet:light-dark(#5c5f66,#b1b4ba)}
body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:3rem auto;padding:0 1rem}.wide{max-width:46rem}
h1{font-size:1.4rem}header{border-bottom:1px solid var(--line);margin-bottom:2rem}header h1{font-size:1.75rem;margin-bottom:0}header p{color:var(--quiet)}
dt{color:var(--quiet)}dd{margin:0 0 .6rem;overflow-wrap:anywhere}label{display:block;margin:1rem 0 .2rem}
input,select,textarea{width:100%;box-sizing:border-box;font:inherit;padding:.5rem;border:1px solid var(--line);border-radius:.5rem}textarea{min-height:8rem}
button{font:inherit;font-weight:600;padding:.5rem 1.2rem;margin:1.2rem .6rem 0 0;border:1px solid var(--line);border-radius:.5rem;background:var(--soft)}
button:only-of-type{background:#4263eb;border-color:#4263eb;color:#fff}[role=alert]{color:light-dark(#c92a2a,#ff8787)}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--soft);padding:.5rem;border-radius:.25rem}
blockquote{margin:1rem 0;padding-left:1rem;border-left:3px solid var(--line)}
table{border-collapse:collapse}th,td{border:1px solid var(--line);padding:.2rem .5rem;vertical-align:top}th{background:var(--soft)}`;

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
