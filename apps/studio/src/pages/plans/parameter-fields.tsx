import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../api/api-query';
import { savedPlansQuery, templatesQuery, type SavedPlan } from '../../api/plans';
import { useTranslation } from '../../i18n/i18n';
import type { JsonSchema } from '../../ui/json-schema';
import { usePhrases } from '../../ui/run-words';
import { ValueField, type Picks } from '../../ui/value-field';

type Values = NonNullable<Schemas['SavedPlanRun']['parameters']>;
type Parameter = SavedPlan['parameters'][number];

/** A template or saved plan, with the texts of its form in the user's language. */
interface FormPlan {
  /** Identifies it in the list of both. */
  key: string;
  title: string;
  about: string;
  /** Its place in the API. */
  source: { template: string } | { savedPlanId: string };
  parameters: Parameter[];
}

/** A chosen plan with the values of its parameters, by name. */
export interface ChosenPlan {
  plan: FormPlan;
  values: Values;
}

/** Returns whether every parameter of a plan has a value. */
export const isFilled = ({ plan, values }: ChosenPlan): boolean =>
  plan.parameters.every(({ name }) => {
    const value = values[name];
    return value !== undefined && String(value).trim() !== '';
  });

interface PlanFormProps {
  chosen: ChosenPlan | null;
  picks: Picks;
  /** Whether it offers only saved plans. */
  isSaved?: boolean;
  onChange: (chosen: ChosenPlan | null) => void;
}

/** Chooses a template or saved plan, and fills in its parameters. */
export function PlanForm({ chosen, picks, isSaved = false, onChange }: PlanFormProps) {
  const { t } = useTranslation();
  const plans = useFormPlans();
  const choose = (key: string | null) => {
    const plan = plans.find((each) => each.key === key);
    const presets = plan?.parameters.map(
      ({ name, kind, default: preset = kind === 'boolean' ? false : undefined }) => [name, preset],
    );
    onChange(plan ? { plan, values: Object.fromEntries(presets!) as Values } : null);
  };
  const options = (of: 'template' | 'savedPlanId') =>
    plans.filter(({ source }) => of in source).map(({ key, title }) => ({ value: key, label: title }));
  return (
    <>
      <Select
        label={t(isSaved ? 'plans.savedPlan' : 'plans.template')}
        description={chosen?.plan.about}
        clearable
        searchable
        data={[
          { group: t('plans.savedPlans'), items: options('savedPlanId') },
          { group: t('plans.templates'), items: isSaved ? [] : options('template') },
        ].filter(({ items }) => items.length > 0)}
        value={chosen?.plan.key ?? null}
        onChange={choose}
      />
      {chosen?.plan.parameters.map(({ name, label = name, kind, choices }) => (
        <ValueField
          key={name}
          label={label}
          schema={choices ? { type: 'string', enum: choices } : SCHEMAS[kind]}
          required
          picks={picks}
          value={chosen.values[name]}
          onChange={(next) => onChange({ ...chosen, values: { ...chosen.values, [name]: next } as Values })}
        />
      ))}
    </>
  );
}

/** Schemas of the values by kind of parameter. */
const SCHEMAS: Record<Parameter['kind'], JsonSchema> = {
  text: { type: 'string', maxLength: 1_000 },
  choice: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  file: { type: 'string', 'x-picks': 'input' },
  files: { type: 'array', items: { type: 'string', 'x-picks': 'input' } },
  collections: { type: 'array', items: { type: 'string', 'x-picks': 'collection' } },
};

function useFormPlans(): FormPlan[] {
  const render = usePhrases();
  const saved = useQuery(savedPlansQuery).data?.items ?? [];
  const templates = useQuery(templatesQuery).data?.items ?? [];
  return [
    ...saved.map((plan) => ({
      key: plan.id,
      title: plan.name,
      about: plan.description,
      source: { savedPlanId: plan.id },
      parameters: plan.parameters,
    })),
    ...templates.map((template) => ({
      key: template.name,
      title: render(template.title_phrase, template.title),
      about: render(template.description_phrase, template.description),
      source: { template: template.name },
      parameters: template.parameters.map(({ label, label_phrase, ...parameter }) => ({
        ...parameter,
        label: render(label_phrase, label),
      })),
    })),
  ];
}
