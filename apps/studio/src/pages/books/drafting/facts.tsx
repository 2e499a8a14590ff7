import { Table, Text } from '@mantine/core';
import { useTranslation } from '../../../i18n/i18n';
import type { Schemas } from '../../../api/client';

/** Lists a chapter's facts about people, places, terms, dates and quantities, with their wording. */
export function Facts({ facts }: { facts: Schemas['Fact'][] }) {
  const { t } = useTranslation();
  if (facts.length === 0) return <Text c="dimmed">{t('facts.none')}</Text>;
  return (
    <Table.ScrollContainer minWidth={420}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('facts.kind')}</Table.Th>
            <Table.Th>{t('facts.fact')}</Table.Th>
            <Table.Th>{t('facts.evidence')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {facts.map((fact) => (
            <Table.Tr key={`${fact.key}/${fact.span.start}`}>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>{t(`factKind.${fact.kind}`)}</Table.Td>
              <Table.Td>{fact.text}</Table.Td>
              <Table.Td>{fact.evidence}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
