import { settingsOfApps } from '#config/settings.js';
import { secretSettings } from '#config/secret-files.js';

export type App = keyof typeof settingsOfApps;
export const apps = Object.entries(settingsOfApps).map(([app, schema]) => ({
  app: app as App,
  /** What it reads. */
  names: Object.keys(schema.shape),
}));
const known = new Set(apps.flatMap(({ names }) => names));
export const isSecret = (name: string) => (secretSettings as readonly string[]).includes(name);

/** Whether an app reads the variable: a setting, the file of a secret one, or one of OpenTelemetry's specification. */
export const isKnown = (name: string) =>
  name === 'NODE_ENV' ||
  known.has(name) ||
  /^OTEL_(EXPORTER|TRACES|BSP)_/.test(name) ||
  (name.endsWith('_FILE') && isSecret(name.slice(0, -5)));

/** Settings that deployment files fix: where the process listens and where its state is stored. */
export const isWiring = (name: string) =>
  /^(GATEWAY|METRICS)_(HOST|PORT)$|^S3_(ENDPOINT|BUCKET|REGION|ACCESS_KEY)$|^STORAGE_DIR$/.test(name);

const mainOf = (command: string[]) => command.find((word) => word.startsWith('dist/'))!;
/** The source of the program that a command starts. */
export const sourceOf = (command: string[]) =>
  mainOf(command)
    .replace(/^dist\//, '')
    .replace(/\.js$/, '.ts');
