import{a,b}from"./chunk-F52ZP3GH.js";import"./chunk-TQGKN6G7.js";import"./chunk-LFBOFCLR.js";import"./chunk-R2LZM5VT.js";import"./chunk-VMDJWEOD.js";export{b as ChallengeForm,a as Challenges};
