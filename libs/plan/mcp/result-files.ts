import { baseName, normalizeSourceName } from '#contracts/source-name.js';
import { percentDecoded } from '#contracts/lenient.js';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { extension } from 'mime-types';
import { createHash } from 'node:crypto';

/** A file in a result of a server: a picture, sound or embedded resource. */
export interface ResultFile {
  name: string;
  /** File extension that fits the media type. */
  format: string;
  mediaType: string;
  bytes: Buffer;
  /** SHA-256 of the bytes. */
  sha256: string;
}

/** Returns the files in a result. Those without a name of their own are named after the tool and their content. */
export function resultFiles(content: CallToolResult['content'], tool: string): ResultFile[] {
  return content.flatMap((block) => {
    if (block.type === 'image' || block.type === 'audio')
      return [fileOf(Buffer.from(block.data, 'base64'), block.mimeType, tool)];
    if (block.type !== 'resource') return [];
    const { resource } = block;
    const bytes = 'blob' in resource ? Buffer.from(resource.blob, 'base64') : Buffer.from(resource.text);
    const fallback = 'blob' in resource ? 'application/octet-stream' : 'text/plain';
    return [fileOf(bytes, resource.mimeType ?? fallback, tool, resource.uri)];
  });
}

function fileOf(bytes: Buffer, mediaType: string, tool: string, uri?: string): ResultFile {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const format = extension(mediaType) || 'bin';
  const own = uri === undefined ? undefined : nameOf(uri);
  const stem = own ?? `${tool}-${sha256.slice(0, 8)}`;
  return { name: stem.includes('.') ? stem : `${stem}.${format}`, format, mediaType, bytes, sha256 };
}

/** Returns the last part of a URI if it can be the name of a file. */
function nameOf(uri: string): string | undefined {
  const path = uri.split(/[?#]/)[0]!;
  const { name } = normalizeSourceName(percentDecoded(baseName(path)));
  return name === undefined ? undefined : baseName(name);
}
