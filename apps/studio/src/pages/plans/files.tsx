import { Anchor, Title } from '@mantine/core';
import { useTranslation } from '../../i18n/i18n';
import type { Plan } from '../../api/plans';

/** Lists the files that a plan wrote, as downloads. */
export function Files({ plan: { session_id: sessionId, files } }: { plan: Plan }) {
  const { t } = useTranslation();
  if (files.length === 0) return null;
  return (
    <section aria-label={t('plans.files')}>
      <Title order={2} size="h4" mb="xs">
        {t('plans.files')}
      </Title>
      <ul className="plain-list">
        {files.map(({ id, name }) => (
          <li key={id}>
            <Anchor size="sm" href={`/api/sessions/${sessionId}/exports/${id}`} download={name}>
              {t('export.downloadNamed', { name })}
            </Anchor>
          </li>
        ))}
      </ul>
    </section>
  );
}
