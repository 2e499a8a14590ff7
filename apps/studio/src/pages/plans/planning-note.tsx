import { Bullets } from '../../ui/bullets';
import { Alert, Stack, Text } from '@mantine/core';
import { useTranslation } from '../../i18n/i18n';
import type { Plan } from '../../api/plans';

/** Shows the author of the plan, its interpretation of the request, and what is assumed or missing. */
export function PlanningNote({ planning }: { planning: NonNullable<Plan['planning']> }) {
  const { t } = useTranslation();
  const { planned_by: by, understanding, assumptions, missing } = planning;
  return (
    <Stack gap="xs">
      <Text size="sm">
        {t(`plannedBy.${by}`)}
        {understanding !== null && `: ${understanding}`}
      </Text>
      {assumptions.length > 0 && <Notes title={t('plans.assumptions')} notes={assumptions} colour="blue" />}
      {missing.length > 0 && <Notes title={t('plans.notCovered')} notes={missing} colour="yellow" />}
    </Stack>
  );
}

/** Shows notes of the planner as a list. */
export function Notes({ title, notes, colour }: { title: string; notes: readonly string[]; colour: string }) {
  return (
    <Alert color={colour} title={title}>
      <Bullets items={notes} />
    </Alert>
  );
}
