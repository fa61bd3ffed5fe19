import{a,b,c,d,e}from"./chunk-OIMDEU2D.js";import"./chunk-D2WBWJTW.js";import"./chunk-VMDJWEOD.js";export{c as About,e as Followed,d as Reasons,a as reasons,b as useCircle};
