import { compare } from './vectors';

// The parts of Node.js that this file uses, because its types are a package of their own.
declare function require(name: 'fs'): { readFileSync(path: string, encoding: 'utf8'): string };
declare const process: { argv: string[]; exitCode: number };

const { count, differences } = compare(require('fs').readFileSync(process.argv[2], 'utf8'));
differences.forEach((difference) => console.log(difference));
console.log(`TypeScript: ${count} vectors, ${differences.length} differ`);
if (count === 0 || differences.length > 0) process.exitCode = 1;
