import type { BucketSource, StoredEventSource } from '#catalogue/schedule-schemas.js';
import type { GatewaySettings } from '#config/settings.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { sha256 } from '#contracts/sha256.js';
import { DestinationGuard, RefusedUrlError, systemResolver } from '#egress/destination.js';
import { pinnedTo } from '#egress/guarded-fetch.js';
import { SecretSeal } from '#egress/secret-seal.js';
import { SETTINGS } from '#kit/runtime/infrastructure.module.js';
import { createClient } from '#storage/s3-store.js';
import { Inject, Injectable } from '@nestjs/common';
import type { BucketItem, Client } from 'minio';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Readable } from 'node:stream';

/** Maximum number of objects under a prefix. */
export const MAX_OBJECTS = 10_000;
const LIST_MS = 30_000;
const READ_MS = 10 * 60_000;
/** An object as an event: its name is the part of the key behind the prefix. */
export interface ObjectEvent {
  /** Key of the firing: a hash of the object's key and ETag. */
  key: string;
  event: { id: string; name: string; etag: string; size: number };
}

/** A schedule with its sealed secret. */
interface Trigger {
  id: string;
  source: unknown;
  secret: string | null;
}

/** Returns the bucket whose new objects start the runs of a schedule. */
export const bucketOf = ({ source }: Pick<Trigger, 'source'>): BucketSource | undefined =>
  (source as StoredEventSource | null)?.s3_prefix;

/** Reads objects of buckets that tenants name. Connections go to checked addresses only. */
@Injectable()
export class TriggerBuckets {
  private readonly guard: DestinationGuard;
  private readonly seal: SecretSeal;

  constructor(
    @Inject(SETTINGS)
    private readonly settings: Pick<
      GatewaySettings,
      'EGRESS_ALLOW_PRIVATE' | 'EGRESS_PORTS' | 'FETCH_URL' | 'TOKEN_SECRET'
    >,
  ) {
    this.seal = new SecretSeal(settings.TOKEN_SECRET, 'trigger');
    this.guard = new DestinationGuard(settings.EGRESS_ALLOW_PRIVATE, systemResolver, settings.EGRESS_PORTS);
  }

  /**
   * Returns the objects under the prefix.
   *
   * @throws ProblemError `fetching_off`; `bucket_refused` if they cannot be listed, or are more than `MAX_OBJECTS`
   */
  list(trigger: Trigger): Promise<ObjectEvent[]> {
    return this.within(trigger, LIST_MS, async (client, { bucket, prefix }) => {
      const objects: ObjectEvent[] = [];
      const items = client.listObjectsV2(bucket, prefix, true) as AsyncIterable<BucketItem>;
      for await (const { name: id, etag = '', size = 0 } of items) {
        // A name that ends in "/" is the folder itself.
        if (id === undefined || id.endsWith('/')) continue;
        if (objects.length === MAX_OBJECTS)
          throw new ProblemError('bucket_refused', phrase('bucket_refused.too_many', { max: MAX_OBJECTS }));
        objects.push(eventOf(id, etag, size, prefix));
      }
      return objects;
    });
  }

  /**
   * Passes the content of an object to a reader.
   *
   * @throws ProblemError `fetching_off`, `bucket_refused`, `not_found`; the reader's errors
   */
  async read<Result>(
    trigger: Trigger,
    id: string,
    reader: (content: Readable) => Promise<Result>,
  ): Promise<Result> {
    let ofReader: unknown;
    try {
      return await this.within(trigger, READ_MS, async (client, { bucket }) => {
        const content = await client.getObject(bucket, id);
        return reader(content).catch((error: unknown) => {
          ofReader = error;
          throw error;
        });
      });
    } catch (error) {
      throw ofReader ?? error;
    }
  }

  private async within<Result>(
    trigger: Trigger,
    limitMs: number,
    work: (client: Client, source: BucketSource) => Promise<Result>,
  ): Promise<Result> {
    const source = bucketOf(trigger)!;
    const { endpoint, region, bucket, access_key_id: accessKey } = source;
    if (!this.settings.FETCH_URL) throw new ProblemError('fetching_off', phrase('fetching_off.ask_operator'));
    const destination = await this.guard.check(endpoint).catch((error: unknown) => {
      throw error instanceof RefusedUrlError ? new ProblemError('bucket_refused', error.phrase) : error;
    });
    const HostAgent = destination.url.protocol === 'https:' ? HttpsAgent : HttpAgent;
    const agent = new HostAgent({ lookup: pinnedTo(destination) });
    const timer = setTimeout(() => agent.destroy(), limitMs);
    try {
      const secretKey = this.secretOf(trigger);
      return await work(
        await createClient({ endpoint, region, bucket, accessKey, secretKey }, agent),
        source,
      );
    } catch (error) {
      throw explained(error);
    } finally {
      clearTimeout(timer);
      agent.destroy();
    }
  }

  private secretOf({ id, secret }: Trigger): string {
    const opened = this.seal.openIfReadable(secret!, id);
    if (opened !== null) return opened;
    throw new ProblemError('bucket_refused', phrase('bucket_refused.unreadable_secret'));
  }
}

function eventOf(id: string, etag: string, size: number, prefix: string): ObjectEvent {
  const key = sha256(`${etag}/${id}`);
  const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  return { key, event: { id, name: id.slice(folder.length), etag, size } };
}

/** Returns the problem of a request that the server refused or did not answer; the message names no address. */
function explained(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  const { name, code } = error as { name: string; code?: string };
  if (code === 'NoSuchKey') return new ProblemError('not_found', phrase('not_found.object'));
  const why =
    name === 'S3Error' && code !== undefined
      ? phrase('bucket_refused.refused', { code })
      : phrase('bucket_refused.unreachable');
  return new ProblemError('bucket_refused', why);
}
