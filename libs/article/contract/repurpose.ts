import { z } from 'zod';
import { findingSchema } from '#contracts/findings.js';

/** Platforms that an approved article is rewritten for (A14). */
export const platforms = ['linkedin', 'x_thread', 'newsletter', 'video_script'] as const;
export const platformSchema = z.enum(platforms);
export type Platform = z.infer<typeof platformSchema>;

/**
 * Text for one platform: one post, the posts of a thread, the parts of a newsletter, or the scenes of a
 * video.
 */
export const pieceSchema = z
  .object({
    platform: platformSchema,
    /** Subject of a newsletter, name of a video; null elsewhere. */
    title: z.string().nullable(),
    parts: z.array(z.string()),
    hashtags: z.array(z.string()).describe('without #'),
    findings: z
      .array(findingSchema)
      .describe('statements that the article does not contain; empty for text compiled by rules'),
  })
  .meta({ id: 'RepurposedPiece' });
export type Piece = z.infer<typeof pieceSchema>;
