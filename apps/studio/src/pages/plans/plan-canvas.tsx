import dagre from '@dagrejs/dagre';
import { useComputedColorScheme } from '@mantine/core';
import {
  Background,
  Controls,
  MarkerType,
  ReactFlow,
  type Edge,
  type EdgeChange,
  type Node,
  type ReactFlowInstance,
} from '@xyflow/react';
import '@xyflow/react/dist/style.css';
// After the style sheet that it changes.
import './plans.css';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useMemo, useState } from 'react';
import { dependenciesOf, referencesIn } from '#plan/contract/dependencies.js';
import { useTranslation } from '../../i18n/i18n';
import type { PlanTask } from '../../api/plans';
import { useStepWords } from './step-words';

const WIDTH = 210;
const HEIGHT = 80;

export type StepState = 'completed' | 'failed' | 'skipped' | 'running' | 'waiting' | 'not_run' | 'planned';

/** What a node shows in addition to the step. */
export interface StepLook {
  state: StepState;
  /** What the step does, with values of earlier results; without them if omitted. */
  title?: string;
  /** Result, error or purpose on one line. */
  note: string;
  /** What is wrong with the step; marks its node. */
  warnings: readonly string[];
  /** Whether replanning added it. */
  isAdded?: boolean;
}

interface PlanCanvasProps {
  tasks: readonly PlanTask[];
  look: (task: PlanTask) => StepLook;
  selected: string | undefined;
  onSelect: (id: string) => void;
  /** Changes of the plan by pointer or keyboard; undefined if it cannot be changed. */
  edit?: {
    canLink: (from: string, to: string) => boolean;
    link: (from: string, to: string) => void;
    unlink: (from: string, to: string) => void;
    remove: (id: string) => void;
  };
}

/** Shows the steps of a plan as a graph whose nodes say what they do; loaded lazily. */
export default function PlanCanvas({ tasks, look, selected, onSelect, edit }: PlanCanvasProps) {
  const { t } = useTranslation();
  const scheme = useComputedColorScheme();
  const words = useStepWords();
  const [flow, setFlow] = useState<ReactFlowInstance>();
  const { places, ...lines } = useGraph(tasks);
  const { ref, width } = useElementSize();
  useEffect(() => void flow?.fitView(FIT), [flow, tasks.length, width]);
  const nodes = tasks.map((task): Node => {
    const { state, note, warnings, isAdded = false, title = words.title(task) } = look(task);
    const status = [
      warnings.length > 0 && `⚠ ${t('plans.warningCount', { count: warnings.length })}`,
      state !== 'planned' && t(`taskState.${state}`),
      isAdded && t('plans.added'),
    ].filter(Boolean);
    return {
      id: task.id,
      position: places.get(task.id)!,
      selected: task.id === selected && !lines.edges.some((edge) => edge.selected),
      ariaLabel: [title, task.id, ...status, note].filter(Boolean).join(', '),
      className: `plan-task plan-task-${state}${isAdded ? ' plan-task-added' : ''}${warnings.length > 0 ? ' plan-task-warned' : ''}`,
      // Without them, a node that changes would be hidden until it is measured again.
      ...SIZE,
      measured: SIZE,
      data: {
        label: (
          <>
            <strong className="plan-task-title">{title}</strong>
            {note && <span className="plan-task-note">{note}</span>}
            <span className="plan-task-note">
              <span>{task.id}</span>
              {status.map((part) => ` · ${String(part)}`)}
            </span>
          </>
        ),
      },
    };
  });
  return (
    <div ref={ref} className="plan-canvas" role="group" aria-label={t('plans.graph')}>
      <ReactFlow
        nodes={nodes}
        {...lines}
        colorMode={scheme}
        onInit={setFlow}
        fitView
        fitViewOptions={FIT}
        {...VIEW}
        nodesConnectable={edit !== undefined}
        edgesFocusable={edit !== undefined}
        isValidConnection={({ source, target }) => edit?.canLink(source, target) ?? false}
        onConnect={({ source, target }) => edit?.link(source, target)}
        onNodesChange={(changes) => {
          for (const change of changes) {
            if (change.type === 'select' && change.selected) onSelect(change.id);
            if (change.type === 'remove') edit?.remove(change.id);
          }
        }}
        onBeforeDelete={isFocused}
        onEdgesDelete={(gone) => gone.forEach(({ source, target }) => edit?.unlink(source, target))}
        deleteKeyCode={edit ? ['Delete', 'Backspace'] : null}
        ariaLabelConfig={{
          'controls.ariaLabel': t('plans.view'),
          'controls.zoomIn.ariaLabel': t('plans.zoomIn'),
          'controls.zoomOut.ariaLabel': t('plans.zoomOut'),
          'controls.fitView.ariaLabel': t('plans.fit'),
          'node.a11yDescription.default': t('plans.nodeKeys'),
          'edge.a11yDescription.default': t('plans.edgeKeys'),
        }}
        proOptions={{ hideAttribution: true }}
      >
        <Background />
        <Controls showInteractive={false} orientation="horizontal" />
      </ReactFlow>
    </div>
  );
}

/** Returns whether the graph has the focus: React Flow listens to keys on the whole page. */
const isFocused = () => Promise.resolve(!!document.activeElement?.closest('.plan-canvas'));

/**
 * Returns the places of the steps, and the edges between them with their names. Marks the chosen edge; the step is then
 * not selected, so that only the edge is deleted.
 */
function useGraph(tasks: readonly PlanTask[]) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<string>();
  // Typing in the form of a step moves no node.
  const shape = JSON.stringify(
    tasks.map((task): Shape[number] => [
      task.id,
      dependenciesOf(task),
      referencesIn(task.when ?? null).map(({ $from }) => $from),
    ]),
  );
  const { places, edges } = useMemo(() => layOut(JSON.parse(shape) as Shape), [shape]);
  return {
    places,
    edges: edges.map((edge) => {
      const names = { from: edge.source, to: edge.target };
      const ariaLabel = t(edge.className ? 'plans.conditionalLine' : 'plans.line', names);
      return { ...edge, ariaLabel, selected: edge.id === chosen };
    }),
    onEdgesChange: (changes: EdgeChange[]) => {
      for (const change of changes)
        if (change.type === 'select')
          setChosen((known) => (change.selected ? change.id : known === change.id ? undefined : known));
    },
  };
}

const SIZE = { width: WIDTH, height: HEIGHT };
const VIEW = { minZoom: 0.3, nodesDraggable: false, zoomOnScroll: false, preventScrolling: false };
/** The lower edge has room for the buttons of the view. */
const FIT = { maxZoom: 1, minZoom: 0.6, padding: { x: '24px', top: '24px', bottom: '56px' } } as const;

/** IDs of the steps, each with those of the steps that it waits for, and that its condition uses. */
type Shape = [id: string, sources: string[], conditions: string[]][];

/** Returns the place of each node, and the edges between steps that wait for each other. */
function layOut(shape: Shape) {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: 'TB', nodesep: 30, ranksep: 50 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const [id] of shape) graph.setNode(id, { ...SIZE });
  const edges = shape.flatMap(([target, sources, conditions]): Edge[] =>
    sources
      .filter((source) => graph.hasNode(source))
      .map((source) => ({
        id: `${source}/${target}`,
        source,
        target,
        markerEnd: { type: MarkerType.ArrowClosed },
        ...(conditions.includes(source) && { className: 'plan-condition' }),
      })),
  );
  for (const { source, target } of edges) graph.setEdge(source, target);
  dagre.layout(graph);
  const places = new Map(
    shape.map(([id]) => {
      const { x, y } = graph.node(id);
      return [id, { x: x - WIDTH / 2, y: y - HEIGHT / 2 }];
    }),
  );
  return { places, edges };
}
