import { Bullets } from './bullets';
import { Alert } from '@mantine/core';
import { useTranslation } from '../i18n/i18n';
import type { LeftOut } from '../api/source-files';

interface LeftOutFilesProps {
  leftOut: readonly LeftOut[];
  /** Files that are sent although no document can carry them. */
  notCarried?: readonly string[];
}

/** Lists each file that will not be in the document, with the reason. */
export function LeftOutFiles({ leftOut, notCarried = [] }: LeftOutFilesProps) {
  const { t } = useTranslation();
  const all = [...leftOut, ...notCarried.map((name) => ({ name, reason: 'notCarried' }))];
  if (all.length === 0) return null;
  return (
    <Alert color="yellow" title={t('leftOut.title')}>
      <Bullets
        mah={240}
        style={{ overflowY: 'auto' }}
        items={all.map(({ name, reason }) => t(`leftOut.${reason}`, { name }))}
      />
    </Alert>
  );
}
