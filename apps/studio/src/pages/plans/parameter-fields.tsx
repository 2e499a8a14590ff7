import { MultiSelect, Select, TextInput } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { collectionsQuery } from '../../api/knowledge';
import { savedPlansQuery, templatesQuery, type SavedPlan } from '../../api/plans';
import { useTranslation } from '../../i18n/i18n';
import { usePhrases } from '../../ui/use-phrases';
import { textProps } from '../../ui/form';

type Values = Record<string, string | string[]>;
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
    const value = values[name] ?? '';
    return typeof value === 'string' ? value.trim() !== '' : value.length > 0;
  });

interface PlanFormProps {
  chosen: ChosenPlan | null;
  /** Names of the files that a plan can use. */
  files: string[];
  onChange: (chosen: ChosenPlan | null) => void;
}

/** Chooses a template or saved plan, and fills in its parameters. */
export function PlanForm({ chosen, files, onChange }: PlanFormProps) {
  const { t } = useTranslation();
  const plans = useFormPlans();
  const choose = (key: string | null) => {
    const plan = plans.find((each) => each.key === key);
    const presets = plan?.parameters.map(({ name, default: preset }) => [name, textOf(preset)]);
    onChange(plan ? { plan, values: Object.fromEntries(presets!) as Values } : null);
  };
  const options = (of: 'template' | 'savedPlanId') =>
    plans.filter(({ source }) => of in source).map(({ key, title }) => ({ value: key, label: title }));
  return (
    <>
      <Select
        label={t('plans.template')}
        description={chosen?.plan.about}
        clearable
        searchable
        data={[
          { group: t('plans.savedPlans'), items: options('savedPlanId') },
          { group: t('plans.templates'), items: options('template') },
        ].filter(({ items }) => items.length > 0)}
        value={chosen?.plan.key ?? null}
        onChange={choose}
      />
      {chosen?.plan.parameters.map((parameter) => (
        <ParameterField
          key={parameter.name}
          parameter={parameter}
          files={files}
          value={chosen.values[parameter.name] ?? ''}
          onChange={(next) => onChange({ ...chosen, values: { ...chosen.values, [parameter.name]: next } })}
        />
      ))}
    </>
  );
}

/** Returns a default as fields contain it: numbers and booleans are texts. */
const textOf = (preset: Parameter['default']): string | string[] =>
  Array.isArray(preset) ? preset : String(preset ?? '');

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

interface ParameterFieldProps {
  parameter: Parameter;
  files: string[];
  value: string | string[];
  onChange: (value: string | string[]) => void;
}

function ParameterField({ parameter, files, value, onChange }: ParameterFieldProps) {
  const { name, label = name, kind, choices } = parameter;
  const pages = useInfiniteQuery({ ...collectionsQuery(), enabled: kind === 'collections' }).data?.pages;
  const collections = pages?.flatMap(({ items }) => items) ?? [];
  const shared = { label, required: true };
  if (kind === 'text' || kind === 'number')
    return (
      <TextInput
        {...shared}
        maxLength={1_000}
        inputMode={kind === 'number' ? 'decimal' : 'text'}
        {...textProps([value].flat().join(', '), onChange)}
      />
    );
  if (kind === 'files' || kind === 'collections')
    return (
      <MultiSelect
        {...shared}
        data={kind === 'files' ? files : collections.map((each) => ({ value: each.id, label: each.name }))}
        value={[value].flat().filter((each) => each !== '')}
        onChange={onChange}
      />
    );
  return (
    <Select
      {...shared}
      data={kind === 'boolean' ? ['true', 'false'] : (choices ?? files)}
      allowDeselect={false}
      value={typeof value === 'string' && value !== '' ? value : null}
      onChange={(next) => onChange(next ?? '')}
    />
  );
}
