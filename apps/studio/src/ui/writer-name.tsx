import { useTranslation } from '../i18n/i18n';
import type { Run } from '../api/runs';

/** Returns whether rules wrote the run's text, not a model. */
export const isByRules = ({ model }: Pick<Run, 'model'>): boolean =>
  model?.endsWith('(rules, no model)') ?? false;

/** Names the model of a run, or says that rules write. */
export function WriterName({ run }: { run: Pick<Run, 'model'> }) {
  const { t } = useTranslation();
  return isByRules(run) ? t('run.byRules') : run.model;
}
