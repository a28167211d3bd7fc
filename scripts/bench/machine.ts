/** The machine that the figures come from. */

import os from 'node:os';

export interface Machine {
  processor: string;
  cores: number;
  memoryGb: number;
  system: string;
  node: string;
  date: string;
}

/** @param node version of the Node that ran the measured programs, such as `v22.1.0`. */
export function describeMachine(node: string): Machine {
  const cpus = os.cpus();
  return {
    processor: cpus[0]?.model.trim() || 'unknown',
    cores: cpus.length,
    memoryGb: Math.round(os.totalmem() / 2 ** 30),
    system: `${os.type()} ${os.release().split('-')[0]} ${os.arch()}`,
    node,
    date: new Date().toISOString().slice(0, 10),
  };
}

export function machineText({ processor, cores, memoryGb, system, node, date }: Machine): string {
  return `${cores} cores (${processor}), ${memoryGb} GB, ${system}, Node ${node.replace(/^v/, '')}, ${date}`;
}
