import { Alert, List } from '@mantine/core';
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
  if (leftOut.length + notCarried.length === 0) return null;
  return (
    <Alert color="yellow" title={t('leftOut.title')}>
      <List size="sm" mah={240} style={{ overflowY: 'auto' }}>
        {leftOut.map(({ name, reason }, index) => (
          <List.Item key={`${index} ${name}`}>{t(`leftOut.${reason}`, { name })}</List.Item>
        ))}
        {notCarried.map((name) => (
          <List.Item key={name}>{t('leftOut.notCarried', { name })}</List.Item>
        ))}
      </List>
    </Alert>
  );
}
