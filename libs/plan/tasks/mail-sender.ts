import { phrase } from '#contracts/phrases/phrase.js';
import type { ToolsSettings } from '#config/settings.js';
import {
  DestinationGuard,
  isPublicAddress,
  RefusedUrlError,
  systemResolver,
  type Resolver,
} from '#egress/destination.js';
import { Readable } from 'node:stream';
import type { SendMailOptions, Transporter } from 'nodemailer';
import { sanitizeServerText } from '../mcp/sanitize-server-text.js';
import { hostOf } from '../contract/secret-schemas.js';
import { secretsIn } from '../tools/platform/http-request.js';
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
 * checked address. It is encrypted, unless the address is private.
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
    { server, sign_in: signIn, reply_to: replyTo, files: _, text, ...mail }: Mail,
    readFiles: () => Promise<AttachedFile[]>,
    signal: AbortSignal,
  ): Promise<MailAnswer> {
    if (!this.settings.FETCH_URL) throw new ToolCallError('not_allowed', phrase('tool_error.requests_off'));
    const { user, password } = signIn ?? { user: '', password: '' };
    const [secret] = secretsIn({ password });
    const values = await this.secrets.valuesFor(hostOf(server)!, tenantId, secret ? [secret] : []);
    const pass = secret && values.get(secret);
    const { url, addresses } = await this.destinationOf(server);
    const attachments = await readFiles();
    const auth = pass === undefined ? undefined : { user, pass };
    let failure: unknown;
    for (const { address } of addresses)
      try {
        const transport = await this.transportTo(url, address, auth);
        return await deliver(transport, { ...mail, text, replyTo, attachments }, signal, auth);
      } catch (error) {
        failure = error;
        if (
          !(error instanceof ToolCallError) ||
          error.code !== 'unreachable' ||
          error instanceof BrokenOffCallError
        )
          throw error;
      }
    throw failure;
  }

  private async transportTo(url: URL, address: string, auth: SignIn | undefined) {
    const port = Number(url.port);
    const { createTransport } = await import('nodemailer');
    return createTransport({
      host: address,
      port,
      secure: port === IMPLICIT_TLS,
      requireTLS: isPublicAddress(address),
      tls: { servername: url.hostname },
      ...(auth && { auth }),
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

interface SignIn {
  user: string;
  pass: string;
}

/** @throws ToolCallError; BrokenOffCallError if the server may have taken the mail */
async function deliver(
  transport: Transporter,
  { text, ...mail }: SendMailOptions & { text: string },
  signal: AbortSignal,
  auth: SignIn | undefined,
): Promise<MailAnswer> {
  let isRead = false as boolean;
  const body = Readable.from(
    (function* () {
      // The server takes the text from here on.
      isRead = true;
      yield Buffer.from(text);
    })(),
  );
  try {
    const {
      messageId,
      accepted = [],
      rejected = [],
    } = await transport.sendMail({ ...mail, text: body, signal });
    return { messageId, accepted: accepted.map(String), rejected: rejected.map(String) };
  } catch (error) {
    signal.throwIfAborted();
    throw failureOf(error, isRead, secretMask(auth ? signInForms(auth.user, auth.pass) : []));
  }
}

/** Returns the forms in which SMTP sends a password; a server may quote the refused line. */
const signInForms = (user: string, pass: string): string[] => [
  pass,
  Buffer.from(pass).toString('base64'),
  Buffer.from(`\0${user}\0${pass}`).toString('base64'),
];

/** What is known of a failed conversation with an SMTP server. */
interface SmtpFailure {
  responseCode?: number;
  response?: string;
}

/** @param isRead whether the server began to take the text: without its answer, it may have it */
function failureOf(error: unknown, isRead: boolean, mask: (text: string) => string): ToolCallError {
  const { responseCode, response = '' } = error as SmtpFailure;
  if (responseCode !== undefined) {
    const text = sanitizeServerText(mask(response), MAX_MESSAGE_CHARACTERS);
    return new ToolCallError('mail_refused', phrase('tool_error.mail_refused', { text }));
  }
  return new (isRead ? BrokenOffCallError : ToolCallError)(
    'unreachable',
    phrase('tool_error.server_unreachable'),
  );
}
