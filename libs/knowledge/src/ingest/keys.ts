import { newId } from '#contracts/ids.js';
import { tenantPrefix } from '#storage/session-keys.js';

/** The folder of everything of a collection in the object store. */
export const collectionFolder = (tenantId: string, collectionId: string) =>
  `${tenantPrefix(tenantId)}knowledge/${collectionId}/`;

/** Where a content of a source is to lie: each has a folder of its own. */
export const contentKey = (tenantId: string, collectionId: string) =>
  `${collectionFolder(tenantId, collectionId)}${newId('fil')}/original`;

/** The folder of a content, by the key of its bytes or of its text. */
export const contentFolder = (key: string) => key.slice(0, key.lastIndexOf('/') + 1);

/** Where the text of a content lies. */
export const textKeyOf = (objectKey: string) => `${contentFolder(objectKey)}text`;
