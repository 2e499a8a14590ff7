import type { RunWebhookType, WebhookPayload } from '#catalogue/webhook-schemas.js';
import { RefusedUrlError, type DestinationGuard } from '#egress/destination.js';
import type { ClaimedDelivery } from './deliveries.js';
import { post, type Attempt } from './post.js';
import { UnreadableSecretError, type SecretSeal } from '#egress/secret-seal.js';
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/**
 * Returns a new signing secret in the format of Standard Webhooks: `whsec_` and 32 random bytes in base64.
 */
export const newSigningSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

function sign(secret: string, content: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

/**
 * Returns the headers of a signed request (https://www.standardwebhooks.com, version 1).
 *
 * @param secrets each adds a signature; receivers accept the request if one is right
 * @param id of the message: the same in every attempt
 * @param seconds since 1970, of this attempt
 */
export function signatureHeaders(secrets: string[], id: string, seconds: number, body: string) {
  const content = `${id}.${seconds}.${body}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets.map((secret) => sign(secret, content)).join(' '),
  };
}

/** Headers of a signed request, as they arrive. */
export type DeliveryHeaders = Partial<Record<keyof ReturnType<typeof signatureHeaders>, string>>;

/** Maximum difference between the time of a signed request and now, in seconds. */
const TOLERANCE_SECONDS = 300;
/** An ID is the key of a row. */
const MESSAGE_ID = /^[\x21-\x7e]{1,200}$/;

/** Returns whether a request is signed with the secret, and its time is close enough; compares in constant time. */
export function isSigned(secret: string, headers: DeliveryHeaders, body: string, now: Date): boolean {
  const { 'webhook-id': id = '', 'webhook-timestamp': seconds, 'webhook-signature': given = '' } = headers;
  if (!MESSAGE_ID.test(id) || !(Math.abs(now.getTime() / 1_000 - Number(seconds)) <= TOLERANCE_SECONDS))
    return false;
  const right = Buffer.from(signatureHeaders([secret], id, Number(seconds), body)['webhook-signature']);
  return given.split(' ').some((signature) => {
    const bytes = Buffer.from(signature);
    return bytes.length === right.length && timingSafeEqual(bytes, right);
  });
}

/** The webhook's data that a request needs. */
interface Target {
  webhookId: string;
  url: string;
  /** Sealed, as stored. */
  secrets: string[];
}

/** Returns the id of a message: the same in every attempt, so that receivers can detect repeats. */
export const messageId = (subjectId: string, seq: number) => `msg_${subjectId}_${seq}`;

/** Returns the body of a message: ids and states, never a tenant's text. */
export function payloadOf(delivery: ClaimedDelivery): WebhookPayload {
  const { event, seq } = delivery;
  const timestamp = delivery.at.toISOString();
  if (delivery.run_id === null) {
    const { source_id, collection_id, source_state: state } = delivery;
    const type = event === 'source_ready' ? 'source.ready' : 'source.failed';
    return { type, timestamp, data: { source_id, collection_id, state, seq } };
  }
  const { run_id, session_id, run_status: status, decision_id } = delivery;
  const isAsked = event === 'decision_required' || event === 'decision_due';
  const decision =
    isAsked && decision_id !== null ? { decision_id, page: `/inbox?question=${decision_id}` } : {};
  const type = `run.${event}` as RunWebhookType;
  return { type, timestamp, data: { run_id, session_id, status, seq, ...decision } };
}

/** Signs messages and sends them to allowed destinations. */
export class WebhookSender {
  constructor(
    private readonly guard: DestinationGuard,
    private readonly seal: SecretSeal,
    private readonly timeoutMs: number,
  ) {}

  /**
   * Makes one attempt; checks the destination each time.
   *
   * @throws the reason of `stop`
   */
  async send(
    { webhookId, url, secrets }: Target,
    id: string,
    message: object,
    stop?: AbortSignal,
  ): Promise<Attempt> {
    try {
      const body = JSON.stringify(message);
      const keys = secrets.map((secret) => this.seal.open(secret, webhookId));
      const headers = {
        ...signatureHeaders(keys, id, Math.floor(Date.now() / 1_000), body),
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        'user-agent': 'Scriptorium-Webhooks/1',
      };
      return await post(await this.guard.check(url), headers, body, this.timeoutMs, stop);
    } catch (error) {
      if (error instanceof RefusedUrlError) return { statusCode: null, error: 'url_refused' };
      if (error instanceof UnreadableSecretError) return { statusCode: null, error: 'secret_unreadable' };
      throw error;
    }
  }
}
