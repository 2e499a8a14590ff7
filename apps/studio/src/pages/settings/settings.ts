import { useMay } from '../../api/session';

/** Pages of the settings, in their order; their addresses are below `/settings`. */
export const SETTINGS = [
  'model',
  'access',
  'webhooks',
  'secrets',
  'servers',
  'usage',
  'runs',
  'audit',
  'service',
] as const;

/** Pages that require the scope `admin`. */
const OF_ADMINS: ReadonlySet<string> = new Set(['webhooks', 'audit', 'service']);

/** Returns the names of the pages that the user may open. */
export function useSettings(): readonly (typeof SETTINGS)[number][] {
  const isAdmin = useMay('admin');
  return SETTINGS.filter((name) => isAdmin || !OF_ADMINS.has(name));
}
