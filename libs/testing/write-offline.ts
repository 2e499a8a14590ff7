import { OfflineScribe } from '#document/offline/offline-scribe.js';
import { ScribeSession, type ScribeSessionOptions } from './scribe-session.js';

/** Writes texts, given by name, with the offline writer; returns the finished session. */
export async function writeOffline(
  files: Record<string, string>,
  options: ScribeSessionOptions = {},
): Promise<ScribeSession> {
  const inputs = new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]));
  const session = new ScribeSession(inputs, options);
  await session.run(new OfflineScribe());
  return session;
}
