import type { GatewaySettings } from '#config/settings.js';
import type { newTranscriptSchema } from '../../contract/schemas.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { AddedSource } from '../../store/sources.js';
import { SETTINGS } from '#kit/runtime/infrastructure.module.js';
import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { DestinationGuard } from '#egress/destination.js';
import { KnowledgeService } from '../knowledge.service.js';
import { YoutubeTranscripts, type TranscriptPort } from './youtube.js';

/** Adds captions of recordings as sources (A14), if the operator allows it. */
@Injectable()
export class TranscriptsService {
  private readonly port: TranscriptPort | null;

  constructor(
    @Inject(SETTINGS) settings: GatewaySettings,
    private readonly knowledge: KnowledgeService,
  ) {
    this.port = settings.YOUTUBE_TRANSCRIPTS ? new YoutubeTranscripts(new DestinationGuard(false)) : null;
  }

  /** @throws ProblemError with the codes that the catalogue lists for `addTranscript` */
  async add(
    tenantId: string,
    collectionId: string,
    { url, language, author, priority }: z.infer<typeof newTranscriptSchema>,
  ): Promise<AddedSource> {
    await this.knowledge.collections.require(tenantId, collectionId);
    if (!this.port) throw new ProblemError('transcripts_off', phrase('transcripts_off.upload_captions'));
    const found = await this.port.transcript(url, language);
    return this.knowledge.addNote(tenantId, collectionId, {
      // The extension makes the indexer read it as captions.
      name: `youtube-${found.id}.vtt`,
      title: found.title,
      text: found.vtt,
      language: /^[a-z]{2}/.exec(found.language)?.[0] ?? null,
      author: author ?? found.author,
      priority,
    });
  }
}
