import { newId } from '#contracts/ids.js';
import { collectionPrefix } from '#storage/session-keys.js';

/** Returns a key for the bytes of a source, by default a new one; each content has a separate folder. */
export const contentKey = (tenantId: string, collectionId: string, fileId = newId('fil')) =>
  `${collectionPrefix(tenantId, collectionId)}${fileId}/original`;

/** Returns the folder of a source's content from the key of its bytes or text. */
export const contentFolder = (key: string) => key.slice(0, key.lastIndexOf('/') + 1);

/** Returns the key of what is known about a content from its file: reference and pages. */
export const detailsKeyOf = (objectKey: string) => `${contentFolder(objectKey)}details.json`;

/** Returns the key of a content's text. */
export const textKeyOf = (objectKey: string) => `${contentFolder(objectKey)}text`;
