import { phrase } from '#contracts/phrases/phrase.js';
import type { ToolsSettings } from '#config/settings.js';
import { DestinationGuard, RefusedUrlError, systemResolver, type Resolver } from '#egress/destination.js';
import { sanitizeServerText } from '../mcp/sanitize-server-text.js';
import { hostOf } from '../contract/secret-schemas.js';
import { BrokenOffCallError, ToolCallError } from '../tools/tool.js';
import type { Mail, MailAnswer } from '../tools/ports.js';
import { secretMask } from './http-caller.js';
import type { OpenedSecrets } from './opened-secrets.js';

/** Ports of SMTP: encrypted from the start, and from STARTTLS on. */
const IMPLICIT_TLS = 465;
const SUBMISSION = 587;
const TIMEOUT_MS = 20_000;
const MAX_MESSAGE_CHARACTERS = 300;

type Settings = Pick<ToolsSettings, 'FETCH_URL' | 'EGRESS_ALLOW_PRIVATE'>;

/** A file of a mail. */
export interface AttachedFile {
  filename: string;
  content: Buffer;
}

/**
 * Sends mails of plans if the operator allows it. The address of the server is checked, and the connection uses the
 * checked address. It is encrypted, unless the operator allows private addresses.
 */
export class MailSender {
  private readonly guard: DestinationGuard;

  constructor(
    private readonly settings: Settings,
    private readonly secrets: Pick<OpenedSecrets, 'valuesFor'>,
    resolve: Resolver = systemResolver,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {
    this.guard = new DestinationGuard(settings.EGRESS_ALLOW_PRIVATE, resolve, [IMPLICIT_TLS, SUBMISSION]);
  }

  /** @throws ToolCallError; BrokenOffCallError if the server may have taken the mail */
  async send(
    tenantId: string,
    { server, user, password_secret: secret, reply_to: replyTo, files: _, ...mail }: Mail,
    attachments: AttachedFile[],
    signal: AbortSignal,
  ): Promise<MailAnswer> {
    if (!this.settings.FETCH_URL) throw new ToolCallError('not_allowed', phrase('tool_error.requests_off'));
    const values = await this.secrets.valuesFor(hostOf(server)!, tenantId, secret ? [secret] : []);
    const pass = secret && values.get(secret);
    const transport = await this.transportTo(server, user === undefined ? undefined : { user, pass });
    const close = () => transport.close();
    signal.addEventListener('abort', close);
    try {
      const { messageId, accepted, rejected } = await transport.sendMail({ ...mail, replyTo, attachments });
      return { messageId, accepted: accepted.map(String), rejected: rejected.map(String) };
    } catch (error) {
      signal.throwIfAborted();
      throw failureOf(error, secretMask(pass === undefined ? [] : [pass]));
    } finally {
      signal.removeEventListener('abort', close);
      close();
    }
  }

  private async transportTo(server: string, auth: { user: string; pass: string | undefined } | undefined) {
    const { url, addresses } = await this.destinationOf(server);
    const port = Number(url.port);
    const { createTransport } = await import('nodemailer');
    return createTransport({
      host: addresses[0]!.address,
      port,
      secure: port === IMPLICIT_TLS,
      requireTLS: !this.settings.EGRESS_ALLOW_PRIVATE,
      tls: { servername: url.hostname },
      ...(auth && { auth: { user: auth.user, pass: auth.pass ?? '' } }),
      connectionTimeout: this.timeoutMs,
      greetingTimeout: this.timeoutMs,
      socketTimeout: this.timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  private async destinationOf(server: string) {
    try {
      return await this.guard.check(`https://${server}`);
    } catch (error) {
      if (error instanceof RefusedUrlError) throw new ToolCallError('refused_address', error.phrase);
      throw error;
    }
  }
}

/** Failures before a server can have taken a mail. */
const UNSENT = new Set(['EDNS', 'ETLS', 'EAUTH', 'EENVELOPE']);

/** What is known of a failed conversation with an SMTP server. */
interface SmtpFailure {
  code?: string;
  /** `connect` if no connection was made. */
  syscall?: string;
  responseCode?: number;
  response?: string;
}

function failureOf(error: unknown, mask: (text: string) => string): ToolCallError {
  const { code = '', syscall, responseCode, response = '' } = error as SmtpFailure;
  if (responseCode !== undefined) {
    const text = sanitizeServerText(mask(response), MAX_MESSAGE_CHARACTERS);
    return new ToolCallError('mail_refused', phrase('tool_error.mail_refused', { text }));
  }
  // Without its answer, the server may have taken the text.
  const isUnsent = syscall === 'connect' || UNSENT.has(code);
  return new (isUnsent ? ToolCallError : BrokenOffCallError)(
    'unreachable',
    phrase('tool_error.server_unreachable'),
  );
}
