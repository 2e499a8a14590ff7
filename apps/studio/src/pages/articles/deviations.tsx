import { SimpleGrid, Text } from '@mantine/core';
import { useTranslation } from '../../i18n/i18n';
import type { ShadowDetails } from '../../api/articles';
import { formatMeasure } from '../../ui/format';

/** Standard deviations that fill a bar. */
const WHOLE = 4;

/** Shows the deviation of a text's style from the corpus: one small bar per measure. */
export function Deviations({ deviations }: Pick<ShadowDetails, 'deviations'>) {
  const { t } = useTranslation();
  if (deviations.length === 0) return null;
  return (
    <section aria-label={t('shadow.fingerprint')}>
      <Text fw={600}>{t('shadow.fingerprint')}</Text>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {deviations.map(({ measure, text, corpus, distance }) => (
          <div key={measure}>
            <Text size="sm">{t(`measure.${measure}`, { defaultValue: measure })}</Text>
            <div
              className="timeline-track"
              title={t('shadow.distance', { distance: formatMeasure(distance, 1) })}
            >
              <span
                className="timeline-bar"
                style={{ left: 0, width: `${Math.min(100, (Math.abs(distance) / WHOLE) * 100)}%` }}
              />
            </div>
            <Text size="xs" c="dimmed">
              {t('shadow.measured', { text: formatMeasure(text, 2), corpus: formatMeasure(corpus, 2) })}
            </Text>
          </div>
        ))}
      </SimpleGrid>
    </section>
  );
}
