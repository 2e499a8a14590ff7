import type { GatewaySettings } from '#config/settings.js';
import type { newWebhookSchema } from '#catalogue/webhook-schemas.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { newId } from '#contracts/ids.js';
import type { BeforeCommit, Database } from '#db/client.js';
import {
  MAX_WEBHOOKS,
  WebhookRepository,
  type Webhook,
  type WebhookDelivery,
} from '#db/repositories/webhooks.js';
import { NotificationListener } from '#engine/events/listener.js';
import { DATABASE, LOGGER, SETTINGS } from '#kit/runtime/infrastructure.module.js';
import type { Logger } from '#telemetry/logger.js';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { z } from 'zod';
import { DestinationGuard, RefusedUrlError, systemResolver } from '#egress/destination.js';
import { WebhookDispatcher } from './dispatcher.js';
import type { Attempt } from './post.js';
import { RETRY_POLICY } from './deliveries.js';
import { SecretSeal } from '#egress/secret-seal.js';
import { WebhookSender, newSigningSecret } from './sender.js';

const DELIVERIES_SHOWN = 50;

/** A webhook with its new secret, which is shown only once. */
export interface CreatedWebhook {
  row: Webhook;
  secret: string;
}

/** Webhooks of a tenant; runs this process's dispatcher. */
@Injectable()
export class WebhooksService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly guard: DestinationGuard;
  private readonly seal: SecretSeal;
  private readonly sender: WebhookSender;
  private readonly dispatcher: WebhookDispatcher;

  constructor(
    @Inject(DATABASE) db: Database,
    @Inject(SETTINGS) settings: GatewaySettings,
    @Inject(LOGGER) log: Logger,
    listener: NotificationListener,
    private readonly webhooks: WebhookRepository,
  ) {
    this.guard = new DestinationGuard(settings.WEBHOOK_ALLOW_PRIVATE, systemResolver, settings.WEBHOOK_PORTS);
    this.seal = new SecretSeal(settings.TOKEN_SECRET);
    this.sender = new WebhookSender(this.guard, this.seal, RETRY_POLICY.timeoutSeconds * 1_000);
    this.dispatcher = new WebhookDispatcher(db, listener, this.sender, log);
  }

  onApplicationBootstrap(): void {
    this.dispatcher.start();
  }

  /** Runs before the connections are closed. */
  onModuleDestroy(): Promise<void> {
    return this.dispatcher.stop();
  }

  /** @throws ProblemError `webhook_url_refused`, `too_many_webhooks` */
  async create(
    tenantId: string,
    { url, events, description }: z.infer<typeof newWebhookSchema>,
    beforeCommit: BeforeCommit<CreatedWebhook>,
  ): Promise<CreatedWebhook> {
    const checked = await this.guard.check(url).catch((error: unknown) => {
      if (error instanceof RefusedUrlError) throw new ProblemError('webhook_url_refused', error.phrase);
      throw error;
    });
    const [id, secret] = [newId('whk'), newSigningSecret()];
    const webhook = {
      id,
      url: checked.url.href,
      events: [...new Set(events)],
      description: description ?? null,
      secret: this.seal.seal(secret, id),
    };
    const row = await this.webhooks.create(tenantId, webhook, (tx, made) =>
      beforeCommit(tx, { row: made, secret }),
    );
    if (!row)
      throw new ProblemError('too_many_webhooks', phrase('too_many_webhooks.max', { max: MAX_WEBHOOKS }));
    return { row, secret };
  }

  list(tenantId: string): Promise<Webhook[]> {
    return this.webhooks.list(tenantId);
  }

  /** @throws ProblemError `not_found` */
  async require(tenantId: string, webhookId: string): Promise<Webhook> {
    return found(await this.webhooks.find(tenantId, webhookId));
  }

  lastDeliveries(tenantId: string, webhookId: string): Promise<WebhookDelivery[]> {
    return this.webhooks.lastDeliveries(tenantId, webhookId, DELIVERIES_SHOWN);
  }

  /** @throws ProblemError `not_found` */
  async remove(tenantId: string, webhookId: string): Promise<void> {
    if (!(await this.webhooks.remove(tenantId, webhookId))) found(null);
  }

  /** @throws ProblemError `not_found` */
  async rotate(
    tenantId: string,
    webhookId: string,
    graceSeconds: number,
    beforeCommit: BeforeCommit<CreatedWebhook>,
  ): Promise<CreatedWebhook> {
    const secret = newSigningSecret();
    const sealed = this.seal.seal(secret, webhookId);
    const until = new Date(Date.now() + graceSeconds * 1_000);
    const row = await this.webhooks.replaceSecret(tenantId, webhookId, sealed, until, (tx, made) =>
      beforeCommit(tx, { row: made, secret }),
    );
    return { row: found(row), secret };
  }

  /**
   * Sends a ping, also to a disabled webhook.
   *
   * @throws ProblemError `not_found`
   */
  async ping(tenantId: string, webhookId: string): Promise<Attempt> {
    const { url, secret, previousSecret, previousUntil } = await this.require(tenantId, webhookId);
    const isInGrace =
      previousSecret !== null && previousUntil !== null && previousUntil.getTime() > Date.now();
    const secrets = [secret, ...(isInGrace ? [previousSecret] : [])];
    const message = { type: 'ping', timestamp: new Date().toISOString(), data: { webhook_id: webhookId } };
    return this.sender.send({ webhookId, url, secrets }, newId('msg'), message);
  }

  /** @throws ProblemError `not_found` */
  async enable(tenantId: string, webhookId: string): Promise<Webhook> {
    return found(await this.webhooks.enable(tenantId, webhookId));
  }
}

function found(webhook: Webhook | null): Webhook {
  if (!webhook) throw new ProblemError('not_found', phrase('not_found.webhook'));
  return webhook;
}
