import{a,b}from"./chunk-MAYJBY36.js";import"./chunk-TQGKN6G7.js";import"./chunk-LFBOFCLR.js";import"./chunk-VGPALID6.js";import"./chunk-VMDJWEOD.js";export{b as ChallengeForm,a as Challenges};
